# Words of the frame, the inputs and the dialogs.

app-name = Meshwright
app-title = Meshwright：规划 GPU 集群
not-available = 无

# Units that are words
unit-microseconds = { $value } µs
unit-milliseconds = { $value } ms
unit-seconds = { $value } s
unit-minutes = { $value } 分钟
unit-hours = { $value } 小时
unit-days = { $value } 天

# Panes
pane-inputs = 输入
pane-picture = 拓扑
pane-answer = 结论
pane-details = 详情
panes = 面板
